import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const hopHeaders = new Set(['host', 'connection', 'content-length', 'transfer-encoding']);

/** A proxy before a fake that passes on so many requests, and then answers `{}` to everything. */
export async function startCutOffProxy(target: string, passed: number) {
  let left = passed;
  const server = createServer((incoming, response) => {
    const parts: Buffer[] = [];
    incoming.on('data', (part: Buffer) => parts.push(part));
    incoming.on('end', async () => {
      left -= 1;
      const { method = 'GET', headers, url = '' } = incoming;
      const sent = Object.entries(headers).filter(([name]) => !hopHeaders.has(name)) as [string, string][];
      const given = { method, headers: sent };
      const body = method === 'GET' ? {} : { body: Buffer.concat(parts) };
      const answer = left < 0 ? Response.json({}) : await fetch(target + url, { ...given, ...body });
      const shown = ['content-type', 'link'].flatMap((name) => {
        const value = answer.headers.get(name);
        return value === null ? [] : [[name, value] as const];
      });
      response.writeHead(answer.status, Object.fromEntries(shown));
      response.end(Buffer.from(await answer.arrayBuffer()));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
