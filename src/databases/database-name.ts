import { invalidInput } from '../errors.js';
import { LIMITS } from '../limits.js';

/** @throws AppError INVALID_INPUT naming the field when no database can have this name. */
export function checkDatabaseName(name: string, field: string): void {
  if (name.length === 0) throw invalidInput(field, 'must not be empty');
  if (name.length > LIMITS.databaseNameCharactersMax) {
    throw invalidInput(field, `has ${name.length} characters; at most ${LIMITS.databaseNameCharactersMax}`);
  }
  if (!/^[a-z0-9_-]+$/.test(name)) {
    throw invalidInput(field, `"${name}" may hold only lowercase letters, digits, - and _`);
  }
}
