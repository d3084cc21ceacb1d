import { Field, InputType, Int, ObjectType } from 'type-graphql';
import type { MetadataDataType, MetadataField, MetadataFieldRequest } from './metadata-schema.js';

@InputType({ description: 'A field of a metadata schema. Vector flags are settable only at creation.' })
export class MetadataFieldInput implements MetadataFieldRequest {
  @Field(() => String, { description: 'Letter or _ first, then letters, digits and _; immutable.' })
  name: string;

  @Field(() => String, {
    nullable: true,
    description:
      'BOOL INT8 INT16 INT32 INT64 FLOAT DOUBLE VARCHAR (default) JSON, or string integer float boolean object.',
  })
  dataType?: string | null;

  @Field(() => Int, { nullable: true, description: 'VARCHAR only: 1 to 65535 characters, default 1024.' })
  maxLength?: number | null;

  @Field(() => Boolean, { nullable: true, description: 'Adds a dense vector lane over the field.' })
  enableDenseEmbedding?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: 'Adds a keyword lane over the field.' })
  enableSparseEmbedding?: boolean | null;

  @Field(() => Boolean, { nullable: true })
  enableMatch?: boolean | null;

  @Field(() => Boolean, { nullable: true })
  filterable?: boolean | null;

  @Field(() => Boolean, { nullable: true })
  searchable?: boolean | null;

  @Field(() => Boolean, { nullable: true })
  enableAnalyzer?: boolean | null;
}

@ObjectType('MetadataField', { description: 'A declared field of the metadata of items.' })
export class MetadataFieldType implements MetadataField {
  @Field(() => String)
  name: string;

  @Field(() => String)
  dataType: MetadataDataType;

  @Field(() => Int, { nullable: true })
  maxLength: number | null;

  @Field(() => Boolean)
  enableDenseEmbedding: boolean;

  @Field(() => Boolean)
  enableSparseEmbedding: boolean;

  @Field(() => Boolean)
  enableMatch: boolean;

  @Field(() => Boolean)
  filterable: boolean;

  @Field(() => Boolean)
  searchable: boolean;

  @Field(() => Boolean)
  enableAnalyzer: boolean;
}
