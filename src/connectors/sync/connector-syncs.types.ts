import { Field, ID, ObjectType } from 'type-graphql';

@ObjectType()
export class ConnectorPause {
  @Field(() => ID)
  connectorId: string;

  @Field(() => Boolean)
  paused: boolean;

  @Field(() => String, { description: 'When the connector was paused; empty when it is not paused.' })
  pausedAt: string;
}

@ObjectType({ description: 'A sync that has begun; it has not ended.' })
export class ConnectorSync {
  @Field(() => String)
  workflowId: string;

  @Field(() => String, { description: 'The id of the new sync; empty if one was running, which goes on.' })
  runId: string;
}
