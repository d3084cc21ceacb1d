import { GraphiQL } from 'graphiql';
import 'graphiql/setup-workers/vite';
import 'graphiql/style.css';
import { useState, useSyncExternalStore } from 'react';
import { EXAMPLES } from './examples.js';
import { createFetcher } from './fetcher.js';
import { editorStorage } from './storage.js';

const EXAMPLE_TABS = EXAMPLES.map(({ query, variables }) => ({
  query,
  variables: JSON.stringify(variables, null, 2),
}));

const prefersDark = matchMedia('(prefers-color-scheme: dark)');

/** Told to GraphiQL, because its editors would keep the theme of the moment in which they opened. */
function useSystemTheme(): 'dark' | 'light' {
  return useSyncExternalStore(
    (onChange) => {
      prefersDark.addEventListener('change', onChange);
      return () => prefersDark.removeEventListener('change', onChange);
    },
    () => (prefersDark.matches ? 'dark' : 'light'),
  );
}

/**
 * GraphiQL fills the variables pane of the first default tab from here only; once tabs are stored, they count.
 */
function initialVariables() {
  const isFirstVisit = editorStorage.getItem('graphiql:tabState') === null;
  return isFirstVisit ? { initialVariables: EXAMPLE_TABS[0]?.variables ?? '' } : {};
}

/** GraphiQL on the given key. The headers editor is off: there is nothing to add, and no secret gets stored. */
export function Workspace({ apiKey }: { apiKey: string }) {
  const [fetcher] = useState(() => createFetcher(apiKey));
  const [variables] = useState(initialVariables);
  return (
    <GraphiQL
      fetcher={fetcher}
      forcedTheme={useSystemTheme()}
      storage={editorStorage}
      defaultTabs={EXAMPLE_TABS}
      {...variables}
      defaultEditorToolsVisibility="variables"
      isHeadersEditorEnabled={false}
      shouldPersistHeaders={false}
    >
      <GraphiQL.Logo>{null}</GraphiQL.Logo>
    </GraphiQL>
  );
}
