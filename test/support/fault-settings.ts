/** How often servers are killed: `npm run test:faults` asks for 200, `npm test` for few. */
export const kills = Number(process.env['FAULT_KILLS'] ?? 20);

/** FAULT_SEED repeats the choices and moments of a run. */
export const seed = Number(process.env['FAULT_SEED'] ?? Date.now() % 1_000_000);
