import type { IngestionErrorCode } from '../errors.js';
import { currentSignal, withinTime } from '../lib/cancellation.js';
import type { Clock } from '../lib/clock.js';
import type { Logger } from '../lib/logger.js';
import { loggedReason } from './item-problem.js';

export interface DependencyOptions {
  readonly name: string;
  /** The code that items show while they wait for it. */
  readonly errorCode: IngestionErrorCode;
  readonly clock: Clock;
  readonly logger: Logger;
  /**
   * Asks it for something small that is unrelated to any item. Absent where only failing work shows that it
   * is down.
   */
  readonly probe?: (signal: AbortSignal) => Promise<unknown>;
}

const coolDownFirstMs = 1000;
const coolDownMaxMs = 60_000;
const probeTimeoutMs = 10_000;

/**
 * Something outside that indexing needs, with a circuit breaker: closed while it answers, and open for a
 * cool-down, which doubles, while it does not. A probe tells an outage from an item that the dependency will
 * never accept. So an outage does not use up the tries of all items, and a bad item does not hold up the
 * others.
 */
export class Dependency {
  private failures = 0;
  private openUntilMs = 0;

  constructor(private readonly options: DependencyOptions) {}

  get errorCode(): IngestionErrorCode {
    return this.options.errorCode;
  }

  /** When it will be tried again. */
  get retryAt(): Date {
    return new Date(this.openUntilMs);
  }

  /** Whether it may be used: always while the breaker is closed; after the cool-down if a probe succeeds. */
  async isUp(): Promise<boolean> {
    if (this.failures === 0) return true;
    const leftMs = this.openUntilMs - this.options.clock.now().getTime();
    // More is left only when the clock was set back meanwhile.
    if (leftMs > 0 && leftMs <= coolDownMaxMs) return false;
    return this.options.probe === undefined || (await this.isAnswering());
  }

  /** Notes a failure that looks like its own: opens the breaker, unless a probe succeeds. Returns whether it is open. */
  async failed(failure: unknown): Promise<boolean> {
    if (this.options.probe) return !(await this.isAnswering());
    this.trip(failure);
    return true;
  }

  /** Records that work with it succeeded. */
  succeeded(): void {
    this.failures = 0;
  }

  private async isAnswering(): Promise<boolean> {
    const { probe } = this.options;
    try {
      if (probe) await withinTime(probeTimeoutMs, probe);
    } catch (error) {
      // A probe that was cut off says nothing.
      currentSignal()?.throwIfAborted();
      this.trip(error);
      return false;
    }
    if (this.failures > 0) this.options.logger.info({ dependency: this.options.name }, 'answers again');
    this.failures = 0;
    return true;
  }

  private trip(error: unknown): void {
    const { clock, logger, name } = this.options;
    const coolDownMs = Math.min(coolDownFirstMs * 2 ** this.failures, coolDownMaxMs);
    this.failures += 1;
    this.openUntilMs = clock.now().getTime() + coolDownMs;
    const reason = loggedReason(error);
    logger.warn({ dependency: name, failures: this.failures, coolDownMs, reason }, 'fails; items wait');
  }
}
