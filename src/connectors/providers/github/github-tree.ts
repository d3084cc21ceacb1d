import { ProviderError } from '../../provider.js';
import type { GithubApi } from './github-api.js';
import type { GithubFile } from './github-items.js';
import { pathOf } from './position.js';
import type { GithubRepository } from './position.js';

/** The files of a commit. */
export interface Tree {
  readonly sha: string;
  readonly tree: readonly GithubFile[];
  readonly truncated?: boolean;
}

/** The mode of a symbolic link, whose content is only a path. */
const linkMode = '120000';
const textFile = /^(?:docs\/.+|[^/]+)\.(?:md|markdown)$/i;

/** The files of a tree that are read: Markdown in the root and in docs. */
export function textsOf({ tree }: Tree): GithubFile[] {
  return tree.filter(
    ({ type, mode, path, size }) => type === 'blob' && mode !== linkMode && size !== 0 && textFile.test(path),
  );
}

/** Lists files. The tree that was listed last is remembered, because it is read in pages. */
export class GithubTrees {
  private listed: Tree | undefined;

  constructor(private readonly api: GithubApi) {}

  /** The tree of a branch or with a hash; undefined when GitHub does not find it. @throws ProviderError */
  async find(repository: GithubRepository, ref: string, signal: AbortSignal): Promise<Tree | undefined> {
    if (this.listed?.sha === ref) return this.listed;
    const found = await this.load(repository, ref, signal);
    if (found) this.listed = found;
    return found;
  }

  /**
   * The paths of the Markdown files that a tree had, and another, later one does not have; none where GitHub no longer knows
   * the former. @throws ProviderError
   */
  async removed(
    repository: GithubRepository,
    { before, now }: { before: string; now: Tree },
    signal: AbortSignal,
  ): Promise<string[]> {
    if (before === now.sha) return [];
    const former = await this.load(repository, before, signal);
    const paths = new Set(textsOf(now).map(({ path }) => path));
    return former ? textsOf(former).flatMap(({ path }) => (paths.has(path) ? [] : path)) : [];
  }

  private async load(
    repository: GithubRepository,
    ref: string,
    signal: AbortSignal,
  ): Promise<Tree | undefined> {
    try {
      const whole = await this.list(repository, { ref, recursive: '1' }, signal);
      return whole.truncated ? await this.partsOf(repository, whole.sha, signal) : whole;
    } catch (error) {
      const status = error instanceof ProviderError ? error.httpStatus : undefined;
      // That is the answer of a repository without commits.
      if (status === 409) return { sha: ref, tree: [] };
      if (status === 404) return undefined;
      throw error;
    }
  }

  /** Files of the root and of docs alone, for a tree that GitHub cuts off: it returns 100,000 entries at most. */
  private async partsOf(repository: GithubRepository, sha: string, signal: AbortSignal): Promise<Tree> {
    const { tree: root } = await this.list(repository, { ref: sha }, signal);
    const docs = root.find(({ type, path }) => type === 'tree' && path === 'docs');
    if (!docs) return { sha, tree: root };
    const { tree } = await this.list(repository, { ref: docs.sha, recursive: '1' }, signal);
    return { sha, tree: [...root, ...tree.map((file) => ({ ...file, path: `docs/${file.path}` }))] };
  }

  private async list(
    repository: GithubRepository,
    asked: { ref: string; recursive?: string },
    signal: AbortSignal,
  ): Promise<Tree> {
    const parameters = { ...pathOf(repository), ...asked };
    return (await this.api.get<Tree>('/repos/{owner}/{repo}/git/trees/{ref}', parameters, signal)).data;
  }
}
