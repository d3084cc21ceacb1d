import type { Clock } from '../lib/clock.js';

const coolDownFirstMs = 1000;
const coolDownMaxMs = 30_000;

/**
 * A circuit breaker without a probe. It is closed while a dependency answers. A failure opens it for a time
 * that doubles with each further failure (1 to 30 s). After that, one caller at a time tries for all.
 */
export class Breaker {
  private failures = 0;
  private openUntilMs = 0;
  private isTried = false;

  constructor(private readonly clock: Clock) {}

  /** Whether the caller may try. Who may has to report the outcome: succeeded(), failed() or abandoned(). */
  mayTry(): boolean {
    if (this.failures === 0) return true;
    if (this.isTried || this.waitMs() > 0) return false;
    this.isTried = true;
    return true;
  }

  succeeded(): void {
    this.failures = 0;
    this.isTried = false;
  }

  /** The try ended without an outcome. */
  abandoned(): void {
    this.isTried = false;
  }

  /**
   * Opens the breaker; returns for how many milliseconds. Failures of tries that began before it opened count
   * once.
   */
  failed(): number {
    const waitMs = this.waitMs();
    const coolDownMs = Math.min(coolDownFirstMs * 2 ** this.failures, coolDownMaxMs);
    this.isTried = false;
    if (waitMs > 0) return waitMs;
    this.failures += 1;
    this.openUntilMs = this.clock.now().getTime() + coolDownMs;
    return coolDownMs;
  }

  /** How long it stays open. After a clock was set back it would be longer than it ever opens. */
  private waitMs(): number {
    const waitMs = this.openUntilMs - this.clock.now().getTime();
    return waitMs > coolDownMaxMs ? 0 : waitMs;
  }
}
