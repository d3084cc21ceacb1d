import OpenAI from 'openai';
import type { ModelConfig } from '../config.js';

/**
 * Clients of an endpoint of OpenAI's shape by its likely addresses, likeliest first: the one that is configured, without
 * the endpoint's own path if that was given too, and where no path was given the one below /v1.
 */
export function openAiClients(
  { url, apiKey }: ModelConfig,
  endpoint: 'embeddings' | 'chat/completions',
  options: { readonly timeout: number; readonly maxRetries: number },
): [OpenAI, ...OpenAI[]] {
  const { origin, pathname, searchParams } = new URL(url);
  const given = pathname.replace(/\/+$/, '');
  const path = given.endsWith(`/${endpoint}`) ? given.slice(0, -endpoint.length - 1) : given;
  const at = (below: string) =>
    new OpenAI({
      baseURL: origin + below,
      defaultQuery: Object.fromEntries(searchParams),
      apiKey: apiKey ?? 'none',
      ...options,
    });
  return given === '' ? [at(''), at('/v1')] : [at(path)];
}
