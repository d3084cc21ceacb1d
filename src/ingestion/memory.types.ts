import { Field, Float, ObjectType, registerEnumType } from 'type-graphql';
import { connectionOf } from '../lib/page.types.js';
import { Source } from '../sources/source-list.types.js';

export enum FactKind {
  preference = 'preference',
  fact = 'fact',
  decision = 'decision',
}
registerEnumType(FactKind, { name: 'FactKind' });

@ObjectType({ description: 'A later fact about the same thing.' })
export class FactReference {
  @Field(() => String, { description: 'The id of its item.' })
  id: string;

  @Field(() => String)
  statement: string;

  @Field(() => Date)
  observedAt: Date;
}

@ObjectType({ description: 'A preference, fact or decision that was extracted from an item (infer).' })
export class InferredFact {
  @Field(() => FactKind)
  kind: FactKind;

  @Field(() => String, { description: 'Whom it is about.' })
  subject: string;

  @Field(() => String)
  attribute: string;

  @Field(() => String)
  value: string;

  @Field(() => String, { description: 'The fact as a sentence.' })
  statement: string;

  @Field(() => String, { description: 'The words of the item that say so.' })
  evidence: string;

  @Field(() => Float, { description: '0 to 1.' })
  confidence: number;

  @Field(() => Date, { description: "The item's observation date, or when it was sent." })
  observedAt: Date;

  @Field(() => Boolean, {
    description:
      'No later fact contradicts or repeats it. A search finds a contradicted one behind what took its place, a repeated one no more.',
  })
  current: boolean;

  @Field(() => FactReference, { nullable: true, description: 'The later fact that contradicts it.' })
  supersededBy: FactReference | null;

  @Field(() => FactReference, { nullable: true, description: 'The later fact that says the same.' })
  repeatedBy: FactReference | null;
}

@ObjectType({ description: 'One turn of a conversation.' })
export class UserAssistantPair {
  @Field(() => String)
  user: string;

  @Field(() => String)
  assistant: string;
}

@ObjectType({ description: 'A stored memory.' })
export class Memory extends Source {
  @Field(() => String, { nullable: true })
  text: string | null;

  @Field(() => [UserAssistantPair])
  userAssistantPairs: UserAssistantPair[];

  @Field(() => String, { description: 'What was sent: the text, then a conversation turn by turn.' })
  content: string;

  @Field(() => String)
  userName: string;

  @Field(() => String, { nullable: true, description: 'YYYY-MM-DD.' })
  observationDate: string | null;

  @Field(() => Boolean)
  infer: boolean;

  @Field(() => String, {
    nullable: true,
    description: 'The statements of its facts, one per line; null without infer, or before it is indexed.',
  })
  inferredContent: string | null;

  @Field(() => [InferredFact])
  facts: InferredFact[];

  @Field(() => Date, { nullable: true })
  expiresAt: Date | null;
}

@ObjectType({ description: 'Memories of a collection, newest first.' })
export class MemoryConnection extends connectionOf(Memory) {}
