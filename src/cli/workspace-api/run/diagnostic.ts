/** Diagnostic of a structured log line: https://opentofu.org/docs/internals/machine-readable-ui/#diagnostic */
export interface Diagnostic {
  readonly severity?: unknown;
  readonly summary?: unknown;
  readonly detail?: unknown;
  /** Address of the resource, if there is one. */
  readonly address?: unknown;
  readonly range?: { readonly filename?: unknown; readonly start?: { readonly line?: unknown } } | null;
  readonly snippet?: {
    readonly context?: unknown;
    readonly code?: unknown;
    readonly start_line?: unknown;
    readonly values?: unknown;
  } | null;
}

const INDENT = '  ';

/**
 * Returns a diagnostic as OpenTofu and Terraform print it, without the frame: heading, resource, place, snippet with
 * line numbers and values, detail.
 */
export function diagnosticText({ severity, summary, detail, address, range, snippet }: Diagnostic): string {
  const heading = `${severity === 'warning' ? 'Warning' : 'Error'}: ${String(summary ?? '')}`;
  const at = typeof address === 'string' && address !== '' ? [`${INDENT}with ${address},`] : [];
  const place = placeOf(range, snippet?.context);
  const code = place === undefined || !snippet ? [] : [...codeLines(snippet), ...valueLines(snippet.values)];
  const about = [...at, ...(place === undefined ? [] : [`${INDENT}${place}${code.length > 0 ? ':' : ''}`]), ...code];
  const text = typeof detail === 'string' ? detail.trim() : '';
  return [heading, ...(about.length > 0 ? ['', ...about] : []), ...(text === '' ? [] : ['', text]), ''].join('\n');
}

/** Returns a diagnostic on one line: its summary and place. */
export function diagnosticSummary({ summary, range }: Diagnostic): string {
  const place = placeOf(range, undefined);
  return `${String(summary ?? '')}${place === undefined ? '' : ` (${place})`}`;
}

function placeOf(range: Diagnostic['range'], context: unknown): string | undefined {
  if (typeof range?.filename !== 'string' || range.filename === '') return undefined;
  const line = range.start?.line === undefined ? '' : ` line ${String(range.start.line)}`;
  return `on ${range.filename}${line}${typeof context === 'string' ? `, in ${context}` : ''}`;
}

function codeLines({ code, start_line: start }: NonNullable<Diagnostic['snippet']>): string[] {
  if (typeof code !== 'string' || code === '') return [];
  const first = Number(start ?? 1);
  return code.split('\n').map((text, index) => `${INDENT}${String(first + index).padStart(4)}: ${text}`);
}

function valueLines(values: unknown): string[] {
  if (!Array.isArray(values) || values.length === 0) return [];
  const lines = (values as readonly { traversal?: unknown; statement?: unknown }[]).map(
    (value) => `${INDENT}  │ ${String(value?.traversal ?? '')} ${String(value?.statement ?? '')}`,
  );
  return [`${INDENT}  ├────────────────`, ...lines];
}
