import { describe, expect, test } from '@jest/globals';
import { ProviderError } from '../../src/connectors/provider.js';
import type { Connected } from '../support/connectors/connected.js';
import { hour, useScripted } from '../support/connectors/scripted-server.js';

const on = useScripted();
const ask = (method: string, { id }: Connected, path = '', json?: unknown) =>
  on.server.rest(method, `/connectors/${id}${path}`, { json });

describe('first_sync_at', () => {
  test('is the first sync that sent objects: not one that found none, not a later one', async () => {
    const connected = await on.connect();
    await on.server.idle();
    expect(await connected.fields()).toMatchObject({ first_sync_at: '', lifecycle: 'active' });
    on.write(1);
    await connected.pass(hour);
    const first = (await connected.fields())['first_sync_at'];
    expect(Date.parse(first)).toBeGreaterThan(
      Date.parse((await connected.fields())['created_at']) + 3_600_000 - 1,
    );
    on.write(1, 2);
    await connected.pass(hour);
    expect(await connected.fields()).toMatchObject({ first_sync_at: first, documents_dispatched: 2 });
  });
});

describe('a connector whose resources were all refused', () => {
  const blocked = async () => {
    on.write(1);
    const connected = await on.connect();
    on.account.fail('read', new ProviderError('refused', 'invite the app', { httpStatus: 403 }));
    await on.server.idle();
    expect(await connected.fields()).toMatchObject({ lifecycle: 'reconnect', sync_blocked: true });
    return connected;
  };

  test('goes on with other credentials: what was given up is read again', async () => {
    const connected = await blocked();
    await ask('PATCH', connected, '', { credentials: { secret: 'open sesame' } });
    expect(await connected.fields()).toMatchObject({
      lifecycle: 'ingesting',
      last_error: '',
      sync_blocked_at: '',
      sync_blocked_reason: '',
    });
    expect(await connected.resources()).toMatchObject([{ status: 'active', sync_blocked: false }]);
    expect(await connected.status()).toMatchObject({ error: null });
    await on.server.idle();
    expect(await connected.ids()).toEqual(on.itemIds(1));
    expect(await connected.fields()).toMatchObject({ lifecycle: 'active' });
  });

  test('goes on when a resource is changed', async () => {
    const connected = await blocked();
    const { body } = await ask('PATCH', connected, `/resources/${on.a}`, { filters: { word: 'text' } });
    expect(body).toMatchObject({ status: 'active', sync_blocked: false });
    await connected.pass(hour);
    expect(await connected.ids()).toEqual(on.itemIds(1));
    expect(await connected.fields()).toMatchObject({ lifecycle: 'active', sync_blocked: false });
  });

  test('waits for resources when the last one has been removed', async () => {
    const connected = await blocked();
    await ask('DELETE', connected, `/resources/${on.a}`);
    expect(await connected.fields()).toMatchObject({
      lifecycle: 'pending_setup',
      sync_blocked: false,
      last_error: '',
    });
  });
});

describe('needs_reauth', () => {
  const signedOut = async () => {
    on.write(1);
    const connected = await on.connect();
    on.account.fail('read', new ProviderError('reauth', 'signed out'));
    await on.server.idle();
    expect(await connected.status()).toMatchObject({
      lifecycle: 'reconnect',
      error: { message: 'signed out', action: expect.stringContaining('Sign in'), retryable: false },
    });
    return connected;
  };

  test('clears when the provider takes the credentials again', async () => {
    const connected = await signedOut();
    on.account.fail('discover', new ProviderError('reauth', 'still signed out'));
    expect((await ask('GET', connected, '/discover')).status).toBe(422);
    expect(await connected.fields()).toMatchObject({ needs_reauth: true, needs_reauth_reason: 'signed out' });
    expect((await ask('GET', connected, '/discover')).status).toBe(200);
    expect(await connected.fields()).toMatchObject({
      needs_reauth: false,
      needs_reauth_at: '',
      needs_reauth_reason: '',
      last_error: '',
      lifecycle: 'ingesting',
    });
    await connected.pass(hour);
    expect(await connected.ids()).toEqual(on.itemIds(1));
  });

  test('clears when it takes a configuration, and not by a change that it was not asked about', async () => {
    const connected = await signedOut();
    await ask('PATCH', connected, `/resources/${on.a}`, { custom_instructions: 'be brief' });
    expect(await connected.fields()).toMatchObject({ needs_reauth: true, last_error: 'signed out' });
    const { body } = await connected.post('configure', { resources: [{ resource_id: on.a }] });
    expect(body.warnings).toEqual([]);
    expect(await connected.fields()).toMatchObject({ needs_reauth: false, sync_status: 'syncing' });
  });
});
