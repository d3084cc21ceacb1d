import type { IngestionErrorCode } from '../errors.js';
import type { Clock } from '../lib/clock.js';
import type { Logger } from '../lib/logger.js';
import { loggedReason } from './item-problem.js';

export interface DependencyOptions {
  readonly name: string;
  /** What items that wait for it show. */
  readonly errorCode: IngestionErrorCode;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Asks it for something small that has nothing to do with any item; absent: it is only known by its failures. */
  readonly probe?: (signal: AbortSignal) => Promise<unknown>;
}

const coolDownFirstMs = 1000;
const coolDownMaxMs = 60_000;
const probeTimeoutMs = 10_000;

/**
 * Something outside that indexing needs, with its circuit breaker: closed while it answers, open for a cool-down that
 * doubles while it does not. A probe tells an outage from an item that the dependency will never digest, so that
 * neither uses up the tries of all items nor holds up the others.
 */
export class Dependency {
  private failures = 0;
  private openUntilMs = 0;

  constructor(private readonly options: DependencyOptions) {}

  get errorCode(): IngestionErrorCode {
    return this.options.errorCode;
  }

  /** When it is asked again. */
  get retryAt(): Date {
    return new Date(this.openUntilMs);
  }

  /** Whether it may be used: always while the breaker is closed; after the cool-down, when the probe is answered. */
  async isUp(): Promise<boolean> {
    if (this.failures === 0) return true;
    if (this.options.clock.now().getTime() < this.openUntilMs) return false;
    return this.options.probe === undefined || (await this.isAnswering());
  }

  /** After a failure that looks like its own: opens the breaker, unless the probe is answered. */
  async isDown(): Promise<boolean> {
    if (this.options.probe) return !(await this.isAnswering());
    this.trip(undefined);
    return true;
  }

  /** Notes that work with it went well. */
  succeeded(): void {
    this.failures = 0;
  }

  private async isAnswering(): Promise<boolean> {
    try {
      await this.options.probe?.(AbortSignal.timeout(probeTimeoutMs));
    } catch (error) {
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
    const reason = error === undefined ? undefined : loggedReason(error);
    logger.warn({ dependency: name, failures: this.failures, coolDownMs, reason }, 'fails; items wait');
  }
}
