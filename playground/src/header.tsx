import type { ReactNode } from 'react';

export function Header({ children }: { children?: ReactNode }) {
  return (
    <header className="ctx-header">
      <Logo />
      <span className="ctx-name">Contexture</span>
      <span className="ctx-subtitle">GraphQL playground</span>
      <div className="ctx-actions">{children}</div>
    </header>
  );
}

function Logo() {
  return (
    <svg className="ctx-logo" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="#4b4acf" />
      <path d="M22 11a8 8 0 1 0 0 10" fill="none" stroke="#fff" strokeWidth="3.4" strokeLinecap="round" />
      <circle cx="16" cy="16" r="2.8" fill="#fff" />
    </svg>
  );
}
