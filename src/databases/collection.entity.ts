import { Field, ObjectType } from 'type-graphql';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

@ObjectType({ description: 'A part of the content of a database; the first write to it creates it.' })
@Entity('collections')
export class Collection {
  @PrimaryGeneratedColumn('identity', { type: 'integer' })
  id: number;

  @Column('integer', { name: 'database_id' })
  databaseId: number;

  @Field(() => String, {
    name: 'collection',
    description:
      'The name of the collection, unique in its database; default is the one of calls that name none.',
  })
  @Column('text')
  name: string;

  /** Already hidden; its content is being removed in the background. */
  @Column('boolean')
  deleting: boolean;

  @Field(() => Date, { description: 'When the first write created the collection.' })
  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;
}
