import type { ReactNode } from 'react';

/** Icons of 16 by 16 with 1.5 wide lines and square ends, without fill. */
export const ICONS = {
  agents: <path d="M2.5 2.5h11v4.5h-11ZM2.5 9h11v4.5h-11ZM5 4.75h.01M5 11.25h.01" />,
  audit: <path d="M2.5 4h1M6 4h7.5M2.5 8h1M6 8h7.5M2.5 12h1M6 12h7.5" />,
  cert: (
    <>
      <path d="M6 10.5H2.5v-8h11v8H12M5 5.5h6" />
      <circle cx="9" cy="10.5" r="2" />
      <path d="M8 12.3V15l1-.7 1 .7v-2.7" />
    </>
  ),
  change: <path d="M3.5 9.5c1.5-3 3-3 4.5-1.5s3 1.5 4.5-1.5" />,
  check: <path d="M3.5 8.5 6.5 11.5 12.5 4.5" />,
  clock: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M8 4.5V8l2.3 1.5" />
    </>
  ),
  copy: (
    <>
      <rect x="5.5" y="5.5" width="8" height="8" />
      <path d="M3.5 10.5h-1v-8h8v1" />
    </>
  ),
  crl: (
    <>
      <path d="M3.5 2h6l3 3v9h-9Z" />
      <path d="m6 7.5 4 4M10 7.5l-4 4" />
    </>
  ),
  down: <path d="M4.5 6.5 8 10l3.5-3.5" />,
  download: <path d="M8 2.5v7.5M4.5 7 8 10.5 11.5 7M2.5 13.5h11" />,
  drop: <path d="M8 10.5V3M4.5 6 8 2.5 11.5 6M2.5 10v3.5h11V10" />,
  err: (
    <>
      <rect x="2.5" y="2.5" width="11" height="11" />
      <path d="m5.8 5.8 4.4 4.4M10.2 5.8l-4.4 4.4" />
    </>
  ),
  filter: <path d="M2.5 4h11M4.5 8h7M6.5 12h3" />,
  fold: <path d="M3 5.5h10M3 10.5h10" />,
  'gate-open': (
    <>
      <path d="M2 2v12M14 2v12" strokeWidth="1" />
      <path d="M3 11l2.5-5.7M13 11l-2.5-5.7" strokeWidth="2" />
    </>
  ),
  'gate-shut': (
    <>
      <path d="M2 2v12M14 2v12" strokeWidth="1" />
      <path d="M3 11 8 6.5l5 4.5" strokeWidth="2" />
    </>
  ),
  health: <path d="M1.5 8.5h3l2-5 3 9 2-4h3" />,
  help: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M6.3 6.3c.2-2 3.5-2 3.4 0 0 1.3-1.7 1.2-1.7 2.7M8 11.2v.05" />
    </>
  ),
  identity: (
    <>
      <circle cx="8" cy="5" r="2.5" />
      <path d="M3 13.5c.5-2.8 2.5-4 5-4s4.5 1.2 5 4" />
    </>
  ),
  machine: (
    <>
      <rect x="4.5" y="4.5" width="7" height="7" />
      <path d="M6.5 2v2M9.5 2v2M6.5 12v2M9.5 12v2M2 6.5h2M2 9.5h2M12 6.5h2M12 9.5h2" />
    </>
  ),
  menu: <path d="M2.5 4h11M2.5 8h11M2.5 12h11" />,
  minus: <path d="M3.5 8h9" />,
  more: <path d="M3.5 8h.01M8 8h.01M12.5 8h.01" />,
  mounts: <path d="M2.5 3v10M2.5 5h3M2.5 11h3M5.5 3.5h8v3h-8ZM5.5 9.5h8v3h-8Z" />,
  ok: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M5.5 8.2 7.2 10l3.5-3.9" />
    </>
  ),
  organizations: <path d="M2.5 13.5v-11h6v11M8.5 6.5h5v7h-11M5 5.5h1M5 8h1M5 10.5h1M11 9h.01M11 11h.01" />,
  overview: <path d="M2.5 13.5h11M4.5 11V8M8 11V3.5M11.5 11V6" />,
  plus: <path d="M8 3.5v9M3.5 8h9" />,
  pass: (
    <>
      <path d="M2.5 3.5h11v9h-11ZM9.5 7h2M9.5 9.5h2" />
      <circle cx="6" cy="8" r="1.75" />
    </>
  ),
  policy: (
    <>
      <path d="M3.5 2h9v12h-9Z" />
      <path d="M6 5.5h4M6 8h4M6 10.5h2" />
    </>
  ),
  projects: <path d="M2 3.5h4.5L8 5.5h6v7.5H2Z" />,
  queued: <circle cx="8" cy="8" r="6" strokeDasharray="2 2.71" strokeLinecap="butt" />,
  role: <path d="M8 2l5 1.8V8c0 3-2.2 5-5 6-2.8-1-5-3-5-6V3.8Z" />,
  run: <path d="M8 2a6 6 0 1 1-6 6" />,
  runs: <path d="M2.5 8h10M8.5 4l4 4-4 4" />,
  same: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M5.8 8h4.4" />
    </>
  ),
  search: (
    <>
      <circle cx="7" cy="7" r="4.5" />
      <path d="m10.5 10.5 3 3" />
    </>
  ),
  settings: (
    <>
      <path d="M2.5 5h6M12 5h1.5M2.5 11H4M7.5 11h6" />
      <circle cx="10.25" cy="5" r="1.75" />
      <circle cx="5.75" cy="11" r="1.75" />
    </>
  ),
  slash: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="m4.5 11.5 7-7" />
    </>
  ),
  table: <path d="M2.5 3h11v10h-11ZM2.5 6.5h11M2.5 9.75h11M6.5 6.5v6.5" />,
  teams: (
    <>
      <circle cx="6" cy="5.5" r="2.5" />
      <path d="M1.5 13.5c.4-2.8 2.2-4 4.5-4s4.1 1.2 4.5 4M10.5 3.2a2.5 2.5 0 0 1 0 4.6M12.3 10c1.3.6 2 1.8 2.2 3.5" />
    </>
  ),
  term: <path d="M2.5 3h11v10h-11ZM5 6l2 2-2 2M8.5 10.5H11" />,
  theme: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M8 2v12a6 6 0 0 0 0-12Z" fill="currentColor" />
    </>
  ),
  token: (
    <>
      <circle cx="5" cy="8" r="2.75" />
      <path d="M8 8h6M11.5 8v2.5" />
    </>
  ),
  updown: <path d="M5 6.5 8 3.5l3 3M5 9.5l3 3 3-3" />,
  users: (
    <>
      <path d="M2.5 2.5h11v11h-11Z" />
      <circle cx="8" cy="6.5" r="1.75" />
      <path d="M4.8 13c.3-2 1.5-3 3.2-3s2.9 1 3.2 3" />
    </>
  ),
  vars: <path d="M5 2.5H3v11h2M11 2.5h2v11h-2M6.5 6h3M6.5 10h3" />,
  wait: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M6.5 6v4M9.5 6v4" />
    </>
  ),
  warn: (
    <>
      <path d="M8 2.5 14 13.5H2Z" />
      <path d="M8 6.8v2.7M8 11.4v.1" />
    </>
  ),
  workspaces: <path d="M2.5 3h11v10h-11ZM2.5 6.5h11M6.5 6.5v6.5" />,
  x: <path d="m4.5 4.5 7 7M11.5 4.5l-7 7" />,
} satisfies Record<string, ReactNode>;

export type IconName = keyof typeof ICONS;
