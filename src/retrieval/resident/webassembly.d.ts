// The part of WebAssembly that is used here; TypeScript declares it only for browsers.
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Instance {
    constructor(module: Module);
    readonly exports: object;
  }
  interface Memory {
    readonly buffer: ArrayBuffer;
    /** Returns the number of pages before. */
    grow(pages: number): number;
  }
}
