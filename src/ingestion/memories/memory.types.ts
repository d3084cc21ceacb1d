import { Field, Float, ObjectType, registerEnumType } from 'type-graphql';
import { connectionOf } from '../../lib/page.types.js';
import { Source } from '../../sources/lists/source-list.types.js';

export enum FactKind {
  preference = 'preference',
  fact = 'fact',
  decision = 'decision',
}
registerEnumType(FactKind, {
  name: 'FactKind',
  description: 'What was extracted.',
  valuesConfig: {
    preference: { description: 'What somebody prefers.' },
    fact: { description: 'What holds.' },
    decision: { description: 'What was decided.' },
  },
});

@ObjectType({
  description: 'A later fact about the same thing, which decides whether an earlier one is current.',
})
export class FactReference {
  @Field(() => String, { description: 'Id of the item that states the later fact.' })
  id: string;

  @Field(() => String, { description: 'The later fact as a sentence.' })
  statement: string;

  @Field(() => Date, { description: 'As of when the later fact holds.' })
  observedAt: Date;
}

@ObjectType({
  description: 'A preference, fact or decision that was extracted from an item sent with infer.',
})
export class InferredFact {
  @Field(() => FactKind, { description: 'Whether it is a preference, a fact or a decision.' })
  kind: FactKind;

  @Field(() => String, { description: 'Whom the fact is about.' })
  subject: string;

  @Field(() => String, { description: 'What of the subject it tells, such as home or employer.' })
  attribute: string;

  @Field(() => String, { description: 'What the attribute is, in the words of the item.' })
  value: string;

  @Field(() => String, { description: 'The fact as a sentence.' })
  statement: string;

  @Field(() => String, { description: 'The words of the item from which the fact was extracted.' })
  evidence: string;

  @Field(() => Float, { description: 'How certain the extraction is, 0 to 1.' })
  confidence: number;

  @Field(() => Date, {
    description:
      'As of when the fact holds: the observation date of a memory or the time of an app item, else when the item was written, as its file says, or sent. What happened in an earlier year holds as of the end of that year.',
  })
  observedAt: Date;

  @Field(() => Boolean, {
    description:
      'Whether no later fact contradicts or repeats this one. A search ranks a contradicted fact behind the one that replaced it, and no longer finds a repeated one.',
  })
  current: boolean;

  @Field(() => FactReference, {
    nullable: true,
    description: 'The later fact that contradicts this one; null when there is none.',
  })
  supersededBy: FactReference | null;

  @Field(() => FactReference, {
    nullable: true,
    description: 'The later fact that says the same as this one; null when there is none.',
  })
  repeatedBy: FactReference | null;
}

@ObjectType({
  description: 'One turn of a conversation: what the user said and what the assistant answered.',
})
export class UserAssistantPair {
  @Field(() => String, { description: 'What the user said.' })
  user: string;

  @Field(() => String, { description: 'What the assistant answered.' })
  assistant: string;
}

@ObjectType({
  description: 'A stored memory: a text or conversation with the facts that were extracted from it.',
})
export class Memory extends Source {
  @Field(() => String, {
    nullable: true,
    description: 'The text that was sent; null when only a conversation was.',
  })
  text: string | null;

  @Field(() => [UserAssistantPair], {
    description: 'The conversation that was sent; empty when there was none.',
  })
  userAssistantPairs: UserAssistantPair[];

  @Field(() => String, {
    description: 'The memory as it was sent: its text, then its conversation turn by turn.',
  })
  content: string;

  @Field(() => String, {
    description: 'Name of the person whom the memory is about; User when none was sent.',
  })
  userName: string;

  @Field(() => String, {
    nullable: true,
    description: 'The day on which this was observed or said, as YYYY-MM-DD; null when none was sent.',
  })
  observationDate: string | null;

  @Field(() => Boolean, { description: 'Whether facts were to be extracted from the memory.' })
  infer: boolean;

  @Field(() => String, {
    nullable: true,
    description:
      'The facts extracted from the memory, one sentence per line; those that a later fact contradicts end in (superseded). Null when the memory was sent without infer or is not searchable yet.',
  })
  inferredContent: string | null;

  @Field(() => [InferredFact], {
    description:
      'The facts extracted from the memory; empty when it was sent without infer or is not searchable yet.',
  })
  facts: InferredFact[];

  @Field(() => Date, {
    nullable: true,
    description: 'From when on no read returns the memory; null when it never expires.',
  })
  expiresAt: Date | null;
}

@ObjectType({ description: 'Memories of a collection, newest first.' })
export class MemoryConnection extends connectionOf(Memory) {}
