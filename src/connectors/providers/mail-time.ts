import { dayMs } from '../../lib/units.js';

/**
 * When a mail was written, as its sender says. If that is impossible (before 1970, or after it arrived), when
 * it arrived.
 */
export function writtenAt(sent: Date | undefined, received: Date | undefined): string | undefined {
  const latest = (received?.getTime() ?? Date.now()) + dayMs;
  const isSensible = sent !== undefined && sent.getTime() > 0 && sent.getTime() <= latest;
  return (isSensible ? sent : received)?.toISOString();
}
