const SHOWN_LENGTH = 500;

/** Returns the error texts of a response of either API, shortened. */
export function textsOf(text: string): string {
  const { errors } = jsonOf(text);
  const texts = Array.isArray(errors) ? errors.map(textOf).filter((one) => one !== '') : [];
  return (texts.join('; ') || 'the server gave no reason').slice(0, SHOWN_LENGTH);
}

function jsonOf(text: string): { readonly errors?: unknown } {
  try {
    return (JSON.parse(text) ?? {}) as { errors?: unknown };
  } catch {
    return {};
  }
}

/** Error as text (access API) or as a JSON:API error object. */
function textOf(error: unknown): string {
  if (typeof error === 'string') return error.trim();
  const { title, detail } = (error ?? {}) as { title?: unknown; detail?: unknown };
  return String(detail ?? title ?? '');
}
