import { writeFileSync } from 'node:fs';
export async function compileWordnet(f) { writeFileSync(f, ''); }
