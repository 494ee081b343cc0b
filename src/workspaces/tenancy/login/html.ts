/** Text that is already safe markup. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function shown(value: string | Html | readonly Html[]): string {
  if (value instanceof Html) return value.text;
  if (typeof value !== 'string') return value.map(({ text }) => text).join('');
  return value.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/**
 * Template tag for markup. Escapes texts for element content and quoted attributes, and inserts `Html` values
 * unchanged.
 */
export function html(parts: TemplateStringsArray, ...values: readonly (string | Html | readonly Html[])[]): Html {
  return new Html(String.raw({ raw: parts }, ...values.map(shown)));
}
