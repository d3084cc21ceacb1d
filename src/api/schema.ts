import 'reflect-metadata';
import { specifiedDirectives } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import { createPubSub } from '@graphql-yoga/subscription';
import { buildSchema } from 'type-graphql';
import type { ResolverData } from 'type-graphql';
import { AccountsResolver } from '../accounts/accounts.resolver.js';
import { checkPlanWrites, checkScope } from '../accounts/caller.js';
import type { Scope } from '../accounts/api-key.entity.js';
import { ConnectorResourcesResolver } from '../connectors/resources/connector-resources.resolver.js';
import { ConnectorsResolver } from '../connectors/management/connectors.resolver.js';
import { DatabaseResolver } from '../databases/database.resolver.js';
import { ContentResolver } from '../ingestion/content/content.resolver.js';
import { ListedMemoriesResolver, MemoryResolver } from '../ingestion/memories/memory.resolver.js';
import { EntitiesResolver } from '../graph/entities/entities.resolver.js';
import { ListedRelationsResolver, RelationsResolver } from '../graph/relations/relations.resolver.js';
import { SubgraphResolver } from '../graph/subgraph/subgraph.resolver.js';
import { checkText } from '../lib/text-check.js';
import { GraphQLTime } from '../lib/time.scalar.js';
import { FeedbackResolver } from '../retrieval/feedback.resolver.js';
import { SearchResolver } from '../retrieval/search.resolver.js';
import { IngestResolver } from '../sources/ingest/ingest.resolver.js';
import { SourceListResolver } from '../sources/lists/source-list.resolver.js';
import { SourceMetadataResolver } from '../sources/metadata/source-metadata.resolver.js';
import { DatabaseStatsResolver, IndexingStatusResolver } from '../sources/status/indexing-status.resolver.js';
import { WebhookResolver } from '../webhooks/webhook.resolver.js';
import { limitQueries } from './deadline.js';
import type { RequestContext } from './request-context.js';
import { noteAsked } from './request-log.js';
import { restDirectives } from './rest-directives.js';
import { describeRoots, failAlone } from './root-fields.js';

// An arrow function, since type-graphql instantiates anything that has a prototype.
const authorize = ({ context, info }: ResolverData<RequestContext>, scopes: Scope[]): boolean => {
  for (const scope of scopes) checkScope(context.caller, scope);
  const { parentType, fieldName } = info;
  const { [fieldName]: field } = parentType.getFields();
  // A mutation that needs only the scope `read` (feedback) does not count as a write.
  const writes = parentType.name === 'Mutation' && !scopes.includes('read');
  if (writes && !field?.extensions['onWithdrawnPlan']) checkPlanWrites(context.caller);
  return true;
};

let made: Promise<GraphQLSchema> | undefined;

/**
 * The one executable schema: GraphQL serves it, and REST runs its operations against it. Made on first use.
 */
export function executableSchema(): Promise<GraphQLSchema> {
  return (made ??= makeSchema());
}

async function makeSchema(): Promise<GraphQLSchema> {
  const schema = await buildSchema({
    resolvers: [
      AccountsResolver,
      DatabaseResolver,
      DatabaseStatsResolver,
      IngestResolver,
      IndexingStatusResolver,
      SourceListResolver,
      MemoryResolver,
      ListedMemoriesResolver,
      ContentResolver,
      SourceMetadataResolver,
      RelationsResolver,
      ListedRelationsResolver,
      SubgraphResolver,
      EntitiesResolver,
      SearchResolver,
      FeedbackResolver,
      ConnectorsResolver,
      ConnectorResourcesResolver,
      WebhookResolver,
    ],
    directives: [...specifiedDirectives, ...restDirectives],
    // type-graphql asks for one, though our subscriptions bring their own source.
    pubSub: createPubSub(),
    authChecker: authorize,
    scalarsMap: [{ type: Date, scalar: GraphQLTime }],
    validateFn: (value) => checkText(value),
    // REST validates its operations against it at the same start, and graphql checks a schema before it does so.
    skipCheck: true,
  });
  return noteAsked(limitQueries(failAlone(describeRoots(schema))));
}
