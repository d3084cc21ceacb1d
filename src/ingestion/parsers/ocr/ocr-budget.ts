const pagesMax = 300;
/** Of processors, so that a busy machine takes longer and reads as much. */
const processorMsMax = 600_000;

/** How many pages of a file are read by OCR: until their number or the time for them is used up. */
export class OcrBudget {
  private pages = 0;
  private readonly startedAtMs = processorMs();

  /** Whether another page may be read. */
  takePage(): boolean {
    if (this.pages >= pagesMax || processorMs() - this.startedAtMs > processorMsMax) return false;
    this.pages += 1;
    return true;
  }
}

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
