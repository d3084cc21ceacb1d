import { Field, InputType, Int, ObjectType } from 'type-graphql';
import { DataType } from './metadata-schema.js';
import type { MetadataDataType, MetadataField, MetadataFieldRequest } from './metadata-schema.js';

@InputType({
  description:
    'A field to declare in a metadata schema. Dense and sparse embeddings can be enabled only when the database is created.',
})
export class MetadataFieldInput implements MetadataFieldRequest {
  @Field(() => String, {
    description:
      'The name of the field, at most 255 characters: a letter or _, then letters, digits and _. It cannot be changed.',
  })
  name: string;

  @Field(() => String, {
    nullable: true,
    description:
      'The type of its values: BOOL, INT8, INT16, INT32, INT64, FLOAT, DOUBLE, VARCHAR (default) or JSON; also string (VARCHAR), integer (INT64), float (DOUBLE), boolean (BOOL) or object (JSON).',
  })
  dataType?: string | null;

  @Field(() => Int, {
    nullable: true,
    description: 'The longest value in characters, for VARCHAR only: 1 to 65535, default 1024.',
  })
  maxLength?: number | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether queries also search the values of the field by meaning (dense vectors); for VARCHAR only, default false.',
  })
  enableDenseEmbedding?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether queries also search the values of the field by keywords (sparse vectors); for VARCHAR only, default false.',
  })
  enableSparseEmbedding?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Stored and returned, without effect: the values of every field can be matched in filters. Default false.',
  })
  enableMatch?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Stored and returned, without effect: the values of every field can be filtered by. Default false.',
  })
  filterable?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Stored and returned, without effect: only fields with a dense or sparse embedding are searched by queries. Default false.',
  })
  searchable?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Stored and returned, without effect: a field with a sparse embedding is always split into words. Default false.',
  })
  enableAnalyzer?: boolean | null;
}

@ObjectType('MetadataField', { description: 'A metadata field that a database declares.' })
export class MetadataFieldType implements MetadataField {
  @Field(() => String, { description: 'The name of the field, as metadata and filters spell it.' })
  name: string;

  @Field(() => DataType, { description: 'The type of its values.' })
  dataType: MetadataDataType;

  @Field(() => Int, {
    nullable: true,
    description: 'The longest value in characters; null unless the type is VARCHAR.',
  })
  maxLength: number | null;

  @Field(() => Boolean, { description: 'Whether queries also search the values of the field by meaning.' })
  enableDenseEmbedding: boolean;

  @Field(() => Boolean, { description: 'Whether queries also search the values of the field by words.' })
  enableSparseEmbedding: boolean;

  @Field(() => Boolean, {
    description: 'As declared; without effect, since the values of every field can be matched.',
  })
  enableMatch: boolean;

  @Field(() => Boolean, {
    description: 'As declared; without effect, since the values of every field can be filtered by.',
  })
  filterable: boolean;

  @Field(() => Boolean, { description: 'As declared; without effect.' })
  searchable: boolean;

  @Field(() => Boolean, { description: 'As declared; without effect.' })
  enableAnalyzer: boolean;
}
