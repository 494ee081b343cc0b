/** Text that is markup, and safe to stand in a page. */
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

/** Markup with values in it: a text is escaped, for content and for attributes in quotes; markup stays what it is. */
export function html(parts: TemplateStringsArray, ...values: readonly (string | Html | readonly Html[])[]): Html {
  return new Html(String.raw({ raw: parts }, ...values.map(shown)));
}
