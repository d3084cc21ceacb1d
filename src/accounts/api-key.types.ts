import { Field, InputType, ObjectType } from 'type-graphql';
import { connectionOf } from '../lib/page.types.js';
import { ApiKey, Scope } from './api-key.entity.js';

@ObjectType({ description: 'The API keys that the caller may see, newest first.' })
export class ApiKeyConnection extends connectionOf(ApiKey) {}

@InputType({ description: 'What a new API key may do; never more than the key that creates it.' })
export class CreateApiKeyInput {
  @Field(() => String, { description: 'A label for people to read, 1 to 255 characters.' })
  name: string;

  @Field(() => [Scope], { description: 'What the key may do, at least one scope.' })
  scopes: Scope[];

  @Field(() => [String], {
    nullable: true,
    description:
      'The only databases that the key may use, at most 1000; default: those of the key that creates it.',
  })
  databases?: string[] | null;

  @Field(() => [String], {
    nullable: true,
    description:
      'Principals that every call with the key is limited to, at most 1000; default: those of the key that creates it.',
  })
  principals?: string[] | null;

  @Field(() => Date, {
    nullable: true,
    description:
      'When the key expires, a time in the future; default: when the key that creates it does, or never.',
  })
  expiresAt?: Date | null;
}

@ObjectType({ description: 'A new API key. This is the only time that it is shown.' })
export class CreateApiKeyPayload {
  @Field(() => String, { description: 'The whole key, to be sent in the header Authorization: Bearer.' })
  key: string;

  @Field(() => ApiKey, { description: 'What the key may do, as it can be read later.' })
  apiKey: ApiKey;
}

@ObjectType({ description: 'The account and the API key of the request.' })
export class Viewer {
  @Field(() => String, { description: 'The id of the account.' })
  orgId: string;

  @Field(() => String, { description: 'The name of the account.' })
  account: string;

  @Field(() => ApiKey, { description: 'The key of this request.' })
  apiKey: ApiKey;
}
