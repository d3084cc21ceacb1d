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

/** Lists files. The tree that was listed last is remembered, because it is read in pages. */
export class GithubTrees {
  private listed: Tree | undefined;

  constructor(private readonly api: GithubApi) {}

  /** The tree of a branch or with a hash; undefined when GitHub does not find it. @throws ProviderError */
  async find(repository: GithubRepository, ref: string, signal: AbortSignal): Promise<Tree | undefined> {
    if (this.listed?.sha === ref) return this.listed;
    try {
      const whole = await this.list(repository, { ref, recursive: '1' }, signal);
      this.listed = whole.truncated ? await this.partsOf(repository, whole.sha, signal) : whole;
      return this.listed;
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
