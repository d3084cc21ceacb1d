import { Field, ID, ObjectType } from 'type-graphql';

@ObjectType({ description: 'Whether a connector is paused.' })
export class ConnectorPause {
  @Field(() => ID, { description: 'Id of the connector.' })
  connectorId: string;

  @Field(() => Boolean, { description: 'Whether the connector is paused now.' })
  paused: boolean;

  @Field(() => String, { description: 'When the connector was paused; empty when it is not paused.' })
  pausedAt: string;
}

@ObjectType({ description: 'A sync that has begun; it has not ended.' })
export class ConnectorSync {
  @Field(() => String, {
    description: 'Id of the syncs of this connector: connector-sync- and the id of the connector.',
  })
  workflowId: string;

  @Field(() => String, { description: 'The id of the new sync; empty if one was running, which goes on.' })
  runId: string;
}
