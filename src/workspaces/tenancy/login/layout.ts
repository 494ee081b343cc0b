import { createHash } from 'node:crypto';
import { type Html, html, Html as Markup } from './html.ts';

const STYLE = `
:root{color-scheme:light dark;--ink:#1d2733;--soft:#566472;--paper:#f4f6f8;--card:#fff;--line:#c3ccd5;--accent:#1f5fbf;--bad:#a3202c}
@media(prefers-color-scheme:dark){:root{--ink:#e6ebf0;--soft:#a3b0bd;--paper:#12171d;--card:#1b222b;--line:#465361;--accent:#7db0ff;--bad:#ff9aa2}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
main{max-width:34rem;margin:8vh auto;padding:2rem;background:var(--card);border:1px solid var(--line);border-radius:.75rem}
h1{margin:0 0 1rem;font-size:1.35rem}
label{display:block;margin:1rem 0 .25rem;font-weight:600}
small{display:block;color:var(--soft)}
input,select,button{width:100%;padding:.6rem .7rem;font:inherit;color:inherit;background:transparent;border:1px solid var(--line);border-radius:.4rem}
option{color:#1d2733;background:#fff}
button{margin-top:1.5rem;font-weight:600;color:var(--card);background:var(--accent);border-color:var(--accent);cursor:pointer}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
code{overflow-wrap:anywhere;font:.95rem ui-monospace,monospace}
.secret{display:block;padding:.8rem;border:1px dashed var(--line);border-radius:.4rem;user-select:all}
.error{margin:0 0 1rem;padding:.6rem .8rem;color:var(--bad);border:1px solid currentcolor;border-radius:.4rem}
`;
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');
const STYLE_ELEMENT = new Markup(`<style>${STYLE}</style>`);

/** Returns one HTML page that works without scripts and with screen readers. */
export function pageLayout(title: string, content: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Lockkeeper</title>
${STYLE_ELEMENT}
</head>
<body>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`.text;
}

/**
 * Returns the headers of every page. The page loads, runs and frames nothing, and its forms go only to this server.
 * Browsers apply `form-action` to redirects after a form, too, so the redirect URL of `tofu` and `terraform` must be
 * allowed.
 * @param answeredAt origin on which `tofu` or `terraform` listens: `http://localhost:10000`
 */
export function pageHeaders(answeredAt = ''): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'`,
    `form-action 'self' ${answeredAt}`.trim(),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    'content-security-policy': policy.join('; '),
    'content-type': 'text/html; charset=utf-8',
    'cross-origin-opener-policy': 'same-origin',
    // The referrer policy sends the origin, because browsers would otherwise omit the origin of a form.
    'referrer-policy': 'same-origin',
    'x-frame-options': 'DENY',
  };
}
