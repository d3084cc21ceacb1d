import { useState, type FormEvent } from 'react';
import { problemWithKey } from './api-key.js';

interface KeyFormProps {
  initialKey: string;
  initialProblem: string | undefined;
  onAccepted: (key: string) => void;
}

export function KeyForm({ initialKey, initialProblem, onAccepted }: KeyFormProps) {
  const [key, setKey] = useState(initialKey);
  const [problem, setProblem] = useState(initialProblem);
  const [checking, setChecking] = useState(false);

  async function connect(event: FormEvent) {
    event.preventDefault();
    const candidate = key.trim();
    setChecking(true);
    const found = candidate ? await problemWithKey(candidate) : 'Enter an API key.';
    setChecking(false);
    setProblem(found);
    if (found === undefined) onAccepted(candidate);
  }

  return (
    <main className="ctx-center">
      <form
        className="ctx-card"
        onSubmit={(event) => void connect(event)}
        aria-labelledby="key-title"
        noValidate
      >
        <h1 id="key-title">Connect to Contexture</h1>
        <label htmlFor="api-key">API key</label>
        <KeyInput value={key} invalid={problem !== undefined} onChange={setKey} />
        {/* Always in the page, so that screen readers announce a message that appears in it. */}
        <p id="key-problem" className="ctx-problem" role="alert">
          {problem}
        </p>
        <button type="submit" className="ctx-primary" disabled={checking}>
          {checking ? 'Connecting…' : 'Connect'}
        </button>
        <p id="key-hint" className="ctx-hint">
          The server printed the key once, at its first start, and keeps it in <code>DATA_DIR/api-key</code>.
          It looks like <code>ctx_….…</code> and stays in this browser tab only.
        </p>
      </form>
    </main>
  );
}

interface KeyInputProps {
  value: string;
  invalid: boolean;
  onChange: (value: string) => void;
}

function KeyInput({ value, invalid, onChange }: KeyInputProps) {
  const [shown, setShown] = useState(false);
  return (
    <div className="ctx-input">
      <input
        id="api-key"
        type={shown ? 'text' : 'password'}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        placeholder="ctx_….…"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        aria-invalid={invalid}
        aria-describedby="key-problem key-hint"
      />
      <button type="button" aria-pressed={shown} aria-controls="api-key" onClick={() => setShown(!shown)}>
        {shown ? 'Hide' : 'Show'}
        <span className="ctx-visually-hidden"> key</span>
      </button>
    </div>
  );
}
