import { createHash } from 'node:crypto';
import { type Html, html, Html as Markup } from './html.ts';

/** Look of the console's sign-in page (console/src/styles/tokens.css). These pages work without its files. */
const STYLE = `
:root{color-scheme:light dark;--ink:light-dark(#1d2733,#e6ebf0);--soft:light-dark(#566472,#a3b0bd);--surface:light-dark(#fff,#161c23);--sunk:light-dark(#eef1f4,#0f141a);--hair:light-dark(#e2e7ec,#27303a);--strong:light-dark(#7d8a97,#728192);--accent:light-dark(#1f5fbf,#7db0ff);--on-accent:light-dark(#fff,#12171d);--bad:light-dark(#a3202c,#ff9aa2);--mono:"Geist Mono",ui-monospace,"SF Mono","Cascadia Mono",monospace}
*{box-sizing:border-box}
body{display:grid;grid-template:1fr auto 1fr/minmax(0,1fr);min-height:100dvh;margin:0;padding:32px clamp(16px,3vw,40px);background:var(--surface);color:var(--ink);font:.8125rem/20px Inter,ui-sans-serif,system-ui,sans-serif}
header svg{display:block;height:24px}
.bank{fill:var(--ink)}
.water{fill:var(--accent)}
.word{fill:none;stroke:var(--ink);stroke-width:2}
main{width:376px;max-width:100%;margin-inline:auto;padding-block:24px}
h1{margin:0 0 16px;font-size:1.625rem;line-height:36px;font-weight:600;letter-spacing:-.012em}
p{margin:0 0 12px;overflow-wrap:anywhere}
a{color:var(--accent);text-underline-offset:3px}
label{display:block;margin:16px 0 4px;font-weight:500}
small{display:block;margin-top:4px;color:var(--soft);font-size:.75rem;line-height:16px}
input,select,button{width:100%;height:40px;padding:0 12px;font:inherit;color:inherit;background:var(--surface);border:1px solid var(--strong);border-radius:4px}
input[type=password]{font-family:var(--mono)}
button{margin-top:24px;font-size:.875rem;font-weight:500;color:var(--on-accent);background:var(--accent);border-color:var(--accent);cursor:pointer}
button+button{margin-top:8px;color:inherit;background:var(--surface);border-color:var(--strong)}
form+p{margin-top:24px;padding-top:16px;border-top:1px solid var(--hair)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:4px}
code{overflow-wrap:anywhere;font:.75rem/20px var(--mono)}
.secret{display:block;padding:8px 12px;background:var(--sunk);border-radius:4px;user-select:all}
.error{color:var(--bad)}
`;
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');
/** The mark and the name, as the console draws them. */
const LOGO = html`<svg viewBox="0 0 136 24" role="img" aria-label="Lockkeeper">
<path class="bank" d="M2 2h2v20H2zM20 2h2v20h-2z"/><path class="water" d="M5.5 12 12 6.5l6.5 5.5v7.5L12 14l-6.5 5.5z"/>
<path class="word" d="M35 3v15 M43.9 8.5a4.3 4.5 0 1 1 0 9a4.3 4.5 0 1 1 0-9 M59.2 10A4.3 4.5 0 1 0 59.2 16 M62.8 3v15M69.8 8l-6 5l6 5 M72.4 3v15M79.4 8l-6 5l6 5 M82.4 13h7.9A4.3 4.5 0 1 0 89.3 16.3 M94.4 13h7.9A4.3 4.5 0 1 0 101.3 16.3 M106 8v14M106 13a4.3 4.5 0 1 1 8.6 0a4.3 4.5 0 1 1-8.6 0 M118.6 13h7.9A4.3 4.5 0 1 0 125.5 16.3 M130.2 8v10M130.2 13.5c0-3.2 1.6-5 4.8-5"/>
</svg>`;
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
<header>${LOGO}</header>
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
