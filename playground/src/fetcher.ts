import type { GraphiQLProps } from 'graphiql';
import { getOperationAST, parse, type ExecutionResult, type OperationDefinitionNode } from 'graphql';
import { createClient, type Client } from 'graphql-ws';
import { authorization, ENDPOINT } from './api-key.js';

type Fetcher = GraphiQLProps['fetcher'];
type Operation = Parameters<Fetcher>[0];

/** Queries and mutations go over HTTP, subscriptions over graphql-ws; both carry the key. */
export function createFetcher(key: string): Fetcher {
  const sockets = createClient({
    url: new URL(ENDPOINT, location.href.replace(/^http/, 'ws')).href,
    connectionParams: { authorization: authorization(key) },
    retryAttempts: 0, // A lost connection is shown at once; play starts again.
  });
  return (operation) => {
    const selected = selectedOperation(operation);
    const named = selected ? { ...operation, operationName: selected.name?.value ?? null } : operation;
    return selected?.operation === 'subscription' ? subscribe(sockets, named) : post(key, named);
  };
}

/**
 * What is about to run; nothing when that is unclear, which the server explains best. GraphiQL learns a new name
 * a moment after a tab opens, so the name it gives counts only where there is a choice.
 */
function selectedOperation({ query, operationName }: Operation): OperationDefinitionNode | undefined {
  try {
    const document = parse(query);
    return getOperationAST(document) ?? getOperationAST(document, operationName) ?? undefined;
  } catch {
    return undefined;
  }
}

async function post(key: string, operation: Operation): Promise<ExecutionResult> {
  const response = await fetch(ENDPOINT, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      authorization: authorization(key),
    },
    body: JSON.stringify(operation),
  });
  const body = await response.text();
  try {
    return JSON.parse(body) as ExecutionResult;
  } catch {
    throw new Error(`${response.status} ${response.statusText}: ${body.slice(0, 500)}`);
  }
}

/** Not an async generator: its return() would wait for the next event, and Stop with it. */
function subscribe(sockets: Client, { query, variables, operationName }: Operation) {
  const payload = { query, variables, operationName: operationName ?? null };
  // Errors come as plain JSON, which is all that GraphiQL needs to print them.
  const events = sockets.iterate(payload) as AsyncIterableIterator<ExecutionResult>;
  const iterator = {
    next: () => events.next().catch((reason: unknown) => Promise.reject(readable(reason))),
    return: async () => (await events.return?.()) ?? { done: true as const, value: undefined },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}

/** A refused connection arrives as a CloseEvent, which prints as an empty object. */
function readable(reason: unknown): unknown {
  if (reason instanceof CloseEvent) {
    return { message: `The subscription was closed: ${reason.reason || 'no reason given'} (${reason.code})` };
  }
  if (reason instanceof Event) return { message: 'The WebSocket connection failed.' };
  return reason;
}
