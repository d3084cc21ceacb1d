const PREFIX = 'contexture:';

/**
 * Where GraphiQL keeps tabs, history and layout. The prefix keeps them apart from those of any other GraphiQL
 * that was opened on the same host and port, which would otherwise hide our examples.
 */
export const editorStorage = {
  getItem: (name: string) => localStorage.getItem(PREFIX + name),
  setItem: (name: string, value: string) => localStorage.setItem(PREFIX + name, value),
  removeItem: (name: string) => localStorage.removeItem(PREFIX + name),
  clear: () => ownKeys().forEach((key) => localStorage.removeItem(key)),
  get length() {
    return ownKeys().length;
  },
};

function ownKeys(): string[] {
  return Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
}
