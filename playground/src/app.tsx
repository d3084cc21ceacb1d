import { lazy, Suspense, useEffect, useState } from 'react';
import { forgetKey, keyPrefix, problemWithKey, storedKey, storeKey } from './api-key.js';
import { Header } from './header.js';
import { KeyForm } from './key-form.js';

type State =
  | { step: 'checking'; key: string }
  | { step: 'asking'; key: string; problem?: string }
  | { step: 'open'; key: string };

// The editor is megabytes; the key form should not wait for it.
const Workspace = lazy(async () => ({ default: (await import('./workspace.js')).Workspace }));

function initialState(): State {
  const key = storedKey();
  return key ? { step: 'checking', key } : { step: 'asking', key: '' };
}

/** Reloading drops everything that was fetched with the old key, and its WebSocket, from memory. */
function changeKey(): void {
  forgetKey();
  location.reload();
}

export function App() {
  const [state, setState] = useState(initialState);

  useEffect(() => {
    if (state.step !== 'checking') return;
    const { key } = state;
    void problemWithKey(key).then((problem) =>
      setState(problem === undefined ? { step: 'open', key } : { step: 'asking', key, problem }),
    );
  }, [state]);

  function accept(key: string): void {
    storeKey(key);
    setState({ step: 'open', key });
  }

  if (state.step === 'asking') {
    return (
      <>
        <Header />
        <KeyForm initialKey={state.key} initialProblem={state.problem} onAccepted={accept} />
      </>
    );
  }
  return (
    <>
      <Header>
        <span className="ctx-key" title="The public part of the API key in use">
          {keyPrefix(state.key)}
        </span>
        <button type="button" onClick={changeKey}>
          Change key
        </button>
      </Header>
      <Suspense fallback={<Loading />}>
        {state.step === 'open' ? <Workspace apiKey={state.key} /> : <Loading />}
      </Suspense>
    </>
  );
}

function Loading() {
  return (
    <p className="ctx-center" role="status">
      Loading…
    </p>
  );
}
