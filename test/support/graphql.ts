import { expect } from '@jest/globals';
import { createClient } from 'graphql-ws';
import type { Client } from 'graphql-ws';
import WebSocket from 'ws';
import { adminKey } from './server.js';
import type { Answer, TestServer } from './server.js';

/** What GraphQL refuses has one form and its status, whoever noticed. */
export function expectRefused(answer: Answer, status: number, message: RegExp): void {
  expect(answer.body).toEqual({ errors: expect.any(Array) });
  expect(answer.body.errors[0].message).toMatch(message);
  expect(answer.body.errors[0].extensions).toEqual({
    code: 'INVALID_INPUT',
    httpStatus: status,
    requestId: answer.headers.get('x-request-id'),
  });
  expect(answer.status).toBe(status);
}

/** A client that connects once: a second connection would hide that the first was lost. */
export function connect(to: TestServer): Client {
  let connections = 0;
  return createClient({
    url: `${to.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    lazy: false,
    retryAttempts: 0,
    connectionParams: () => {
      connections += 1;
      if (connections > 1) throw new Error('connected again');
      return { authorization: `Bearer ${adminKey}` };
    },
    onNonLazyError: () => undefined,
  });
}

/** The errors with which an operation over graphql-ws is refused. */
export async function refusal(client: Client, payload: Parameters<Client['iterate']>[0]): Promise<any> {
  return client
    .iterate(payload)
    .next()
    .then(
      (answer) => answer.value.errors ?? answer.value,
      (errors: unknown) => errors,
    );
}
