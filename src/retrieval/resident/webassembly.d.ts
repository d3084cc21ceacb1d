// What is used of WebAssembly: TypeScript declares it for browsers only.
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
    /** Returns how many pages there were. */
    grow(pages: number): number;
  }
}
