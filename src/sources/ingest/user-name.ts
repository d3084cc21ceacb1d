/** Who speaks in a memory that names nobody. */
export const userNameDefault = 'User';
