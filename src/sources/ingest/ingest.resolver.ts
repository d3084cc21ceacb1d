import { Arg, Authorized, Ctx, Mutation, Resolver } from 'type-graphql';
import type { Scope } from '../../accounts/api-key.entity.js';
import type { RequestContext } from '../../api/request-context.js';
import type { IncomingFile } from '../../storage/incoming-file.js';
import { UploadScalar } from '../../storage/upload.scalar.js';
import { IngestInput, IngestResult } from './ingest.types.js';

@Resolver()
export class IngestResolver {
  @Authorized<Scope>('write')
  @Mutation(() => IngestResult, {
    description:
      'Accepts documents and app items, or memories; they are indexed in the background, and indexingStatus tells when they are completed.',
  })
  ingest(
    @Ctx() { services, caller, newId }: RequestContext,
    @Arg('input', () => IngestInput) input: IngestInput,
    @Arg('documents', () => [UploadScalar], {
      nullable: true,
      description: 'The files, at most 200 of up to 50 MB each; a request with files is multipart/form-data.',
    })
    documents: IncomingFile[] | null,
  ): Promise<IngestResult> {
    return services.ingest.ingest({ caller, newId }, input, documents ?? []);
  }
}
