import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Collection, MongoClient, ObjectId } from 'mongodb';
import { type MongoServer, startMongoServer } from '../support/mongo-server.js';

interface Pet {
  _id?: ObjectId;
  name: string;
  age?: number | null;
  born?: Date | null;
  tags?: string[];
  home?: { city?: string; street?: string };
}

describe('the MongoDB wire server, through the real driver', () => {
  let server: MongoServer;
  let client: MongoClient;
  let pets: Collection<Pet>;
  const names = async (filter: object, sort: Record<string, 1 | -1> = { name: 1 }): Promise<string[]> =>
    (await pets.find(filter).sort(sort).toArray()).map((pet) => pet.name);

  beforeAll(async () => {
    server = await startMongoServer();
    client = await MongoClient.connect(server.url);
  });
  afterAll(async () => {
    await client.close();
    await server.close();
  });
  beforeEach(async () => {
    await client.db('zoo').dropDatabase();
    pets = client.db('zoo').collection<Pet>('pets');
    await pets.insertMany([
      { name: 'ada', age: 3, born: new Date('2020-01-01'), tags: ['cat', 'old'], home: { city: 'Oslo' } },
      { name: 'bob', age: 5, born: new Date('2018-01-01'), tags: ['dog'] },
      { name: 'cyd', age: null, born: null },
      { name: 'dot', home: { city: 'Rome', street: 'x' } },
    ]);
  });

  test.each<[string, object, string[]]>([
    ['equality', { name: 'ada' }, ['ada']],
    ['null matches a missing field', { age: null }, ['cyd', 'dot']],
    ['$eq null', { born: { $eq: null } }, ['cyd', 'dot']],
    ['$ne null', { age: { $ne: null } }, ['ada', 'bob']],
    ['$exists', { age: { $exists: true } }, ['ada', 'bob', 'cyd']],
    ['$exists false', { age: { $exists: false } }, ['dot']],
    ['$in with null', { age: { $in: [3, null] } }, ['ada', 'cyd', 'dot']],
    ['$nin', { name: { $nin: ['ada', 'bob'] } }, ['cyd', 'dot']],
    ['a range', { age: { $gt: 3, $lte: 5 } }, ['bob']],
    ['dates', { born: { $lt: new Date('2019-01-01') } }, ['bob']],
    ['another type never matches a range', { name: { $gte: 0 } }, []],
    ['a dotted path', { 'home.city': 'Rome' }, ['dot']],
    ['an element of an array', { tags: 'cat' }, ['ada']],
    ['a whole array', { tags: ['cat', 'old'] }, ['ada']],
    ['a whole document', { home: { city: 'Oslo' } }, ['ada']],
    ['$or and $and', { $or: [{ age: 5 }, { $and: [{ name: 'dot' }, { age: null }] }] }, ['bob', 'dot']],
    ['an inherited property is no field', { constructor: { $exists: true } }, []],
  ])('filters: %s', async (_case, filter, expected) => {
    expect(await names(filter)).toEqual(expected);
    expect(await pets.countDocuments(filter)).toBe(expected.length);
  });

  test('an unknown operator, command or stage is an error, even without data', async () => {
    await expect(names({ name: { $regex: 'a' } })).rejects.toThrow('unknown operator: $regex');
    await expect(names({ name: /a/ })).rejects.toThrow('cannot be compared');
    await expect(names({ $nor: [{ name: 'a' }] })).rejects.toThrow('$nor');
    await expect(
      client
        .db('zoo')
        .collection('none')
        .findOne({ a: { $mod: [2, 0] } }),
    ).rejects.toThrow('$mod');
    await expect(pets.updateOne({}, { $push: { tags: 'x' } })).rejects.toThrow('$push');
    await expect(pets.updateOne({}, { $set: { age: 1 }, $inc: { age: 1 } })).rejects.toMatchObject({
      code: 40,
    });
    await expect(pets.aggregate([{ $lookup: {} }]).toArray()).rejects.toThrow('$lookup');
    await expect(client.db('zoo').command({ mapReduce: 'pets' })).rejects.toMatchObject({ code: 59 });
  });

  test('sorts nulls first, skips, limits and projects', async () => {
    expect(await names({}, { age: 1, name: -1 })).toEqual(['dot', 'cyd', 'ada', 'bob']);
    const page = await pets.find().sort({ name: 1 }).skip(1).limit(2).project({ name: 1, _id: 0 }).toArray();
    expect(page).toEqual([{ name: 'bob' }, { name: 'cyd' }]);
    const [ada] = await pets.find({ name: 'ada' }).project({ _id: 0, born: 0, tags: 0 }).toArray();
    expect(ada).toEqual({ name: 'ada', age: 3, home: { city: 'Oslo' } });
  });

  test('updates one or many, and says what changed', async () => {
    const many = await pets.updateMany({ age: { $ne: null } }, { $inc: { age: 1 }, $unset: { tags: true } });
    expect(many).toMatchObject({ matchedCount: 2, modifiedCount: 2 });
    expect(await pets.findOne({ name: 'ada' }, { projection: { _id: 0 } })).toEqual({
      name: 'ada',
      age: 4,
      born: new Date('2020-01-01'),
      home: { city: 'Oslo' },
    });
    const same = await pets.updateOne({ name: 'bob' }, { $set: { age: 6 } });
    expect(same).toMatchObject({ matchedCount: 1, modifiedCount: 0 });
    await pets.updateOne({ name: 'bob' }, { $set: { 'home.city': 'Bonn' } });
    expect(await names({ 'home.city': 'Bonn' })).toEqual(['bob']);
    await expect(pets.updateOne({ name: 'bob' }, { $set: { _id: new ObjectId() } })).rejects.toMatchObject({
      code: 66,
    });
  });

  test('upserts from the equalities of the filter', async () => {
    const filter = { name: 'eve', 'home.city': 'Kiel', age: { $gt: 1 } };
    const update = { $set: { age: 9 }, $setOnInsert: { tags: ['new'] } };
    const added = await pets.updateOne(filter, update, { upsert: true });
    expect(added.upsertedCount).toBe(1);
    const again = await pets.updateOne(filter, { $setOnInsert: { tags: [] } }, { upsert: true });
    expect(again).toMatchObject({ matchedCount: 1, upsertedCount: 0 });
    const eve = await pets.findOne({ _id: added.upsertedId ?? new ObjectId() }, { projection: { _id: 0 } });
    expect(eve).toEqual({ name: 'eve', home: { city: 'Kiel' }, age: 9, tags: ['new'] });
  });

  test('finds and modifies: before or after, sorted, upserted, removed', async () => {
    const update = { $set: { age: 7 } };
    const before = await pets.findOneAndUpdate({ age: { $ne: null } }, update, { sort: { age: -1 } });
    expect(before).toMatchObject({ name: 'bob', age: 5 });
    const after = await pets.findOneAndUpdate(
      { name: 'bob' },
      { $inc: { age: 1 } },
      { returnDocument: 'after' },
    );
    expect(after).toMatchObject({ name: 'bob', age: 8 });
    expect(await pets.findOneAndUpdate({ name: 'nobody' }, update)).toBeNull();
    const options = { upsert: true, returnDocument: 'after' } as const;
    expect(await pets.findOneAndUpdate({ name: 'eve' }, update, options)).toMatchObject({
      name: 'eve',
      age: 7,
    });
    expect(await pets.findOneAndDelete({ name: 'eve' })).toMatchObject({ age: 7 });
    expect(await names({ name: 'eve' })).toEqual([]);
  });

  test('deletes, groups, counts', async () => {
    expect((await pets.deleteOne({ age: null })).deletedCount).toBe(1);
    expect((await pets.deleteMany({ age: { $ne: null } })).deletedCount).toBe(2);
    expect(await pets.estimatedDocumentCount()).toBe(1);
    expect(await pets.aggregate([{ $group: { _id: '$name' } }]).toArray()).toEqual([{ _id: 'dot' }]);
    expect(await pets.countDocuments({}, { limit: 1, skip: 1 })).toBe(0);
  });

  test('refuses a second document with the same _id, in order or not', async () => {
    const [_id, other] = [new ObjectId(), new ObjectId()];
    await pets.insertOne({ _id, name: 'one' });
    await expect(pets.insertOne({ _id, name: 'two' })).rejects.toMatchObject({ code: 11000 });
    const both = [
      { _id, name: 'two' },
      { _id: other, name: 'three' },
    ];
    await expect(pets.insertMany(both, { ordered: false })).rejects.toMatchObject({ code: 11000 });
    expect(await names({ _id: { $in: [_id, other] } })).toEqual(['one', 'three']);
  });

  test('lists and drops collections and indexes', async () => {
    expect(await pets.createIndex({ name: 1, age: -1 }, { name: 'by_name' })).toBe('by_name');
    expect((await pets.indexes()).map((index) => index.name)).toEqual(['_id_', 'by_name']);
    await expect(pets.createIndex({ name: 1 }, { unique: true })).rejects.toThrow('unique');
    const zoo = client.db('zoo');
    expect((await zoo.listCollections().toArray()).map((collection) => collection.name)).toEqual(['pets']);
    await zoo.dropCollection('pets');
    expect(await zoo.listCollections().toArray()).toEqual([]);
    expect(await zoo.admin().ping()).toEqual({ ok: 1 });
  });

  test('takes a batch larger than one packet', async () => {
    const docs = Array.from({ length: 1_000 }, (_, index) => ({ name: 'x'.repeat(1_000), age: index }));
    expect((await pets.insertMany(docs)).insertedCount).toBe(1_000);
    expect(await pets.countDocuments({ age: { $gte: 900 } })).toBe(100);
  });
});
