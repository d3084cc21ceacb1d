import 'reflect-metadata';
import {
  DirectiveLocation,
  GraphQLBoolean,
  GraphQLDirective,
  GraphQLEnumType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLString,
  specifiedDirectives,
} from 'graphql';
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
import { describeRoots, failAlone } from './root-fields.js';

/** A directive on fields of REST operations: the key is left out of the answer when it has this value. */
const omitting = (name: string, value: string) =>
  new GraphQLDirective({
    name,
    description: `Leaves the key out of the REST answer when its value is ${value}.`,
    locations: [DirectiveLocation.FIELD],
  });

const inMeta = new GraphQLDirective({
  name: 'inMeta',
  description: 'Puts the value into meta of the REST answer instead of data.',
  locations: [DirectiveLocation.FIELD],
});

const keyedBy = new GraphQLDirective({
  name: 'keyedBy',
  description:
    'Turns the list into an object in the REST answer, whose keys are the values of this field of the entries.',
  locations: [DirectiveLocation.FIELD],
  args: { key: { type: new GraphQLNonNull(GraphQLString), description: 'A field of the entries.' } },
});

/** What `include_fields` of REST chooses from, and what each is. */
const listFields = {
  title: 'The title of the item.',
  type: 'The category that was sent with the item, else knowledge or memory.',
  description: 'The description that was sent with an app item.',
  note: 'The same as description.',
  timestamp: 'When the item was written.',
  metadata: 'Its metadata.',
  additional_metadata: 'Its free-form values.',
  relations: 'Its newest relations between entities.',
  evidence: 'The evidence kind and subject that were sent with the item.',
};
const listField = new GraphQLEnumType({
  name: 'ListField',
  description:
    'Fields that include_fields of a REST list can choose from; all other fields are always returned.',
  values: Object.fromEntries(
    Object.entries(listFields).map(([name, description]) => [name, { description }]),
  ),
});
const choosing = new GraphQLDirective({
  name: 'onlyIf',
  description:
    'Leaves the key out of the REST answer unless the list in names it, or that list is absent and byDefault is true.',
  locations: [DirectiveLocation.FIELD],
  args: {
    named: { type: new GraphQLNonNull(listField), description: 'What the key is called in the list.' },
    in: {
      type: new GraphQLList(new GraphQLNonNull(listField)),
      description:
        'Which of these fields to return; when absent, all but note, relations and evidence. All other fields are always returned.',
    },
    byDefault: {
      type: GraphQLBoolean,
      defaultValue: true,
      description: 'Whether the key is answered when the list is absent.',
    },
  },
});

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
    directives: [
      ...specifiedDirectives,
      omitting('omitNull', 'null'),
      omitting('omitFalse', 'false'),
      omitting('omitEmpty', 'an empty list'),
      choosing,
      inMeta,
      keyedBy,
    ],
    // type-graphql asks for one, though our subscriptions bring their own source.
    pubSub: createPubSub(),
    authChecker: authorize,
    scalarsMap: [{ type: Date, scalar: GraphQLTime }],
    validateFn: (value) => checkText(value),
  });
  return noteAsked(limitQueries(failAlone(describeRoots(schema))));
}
