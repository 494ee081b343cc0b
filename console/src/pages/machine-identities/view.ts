import { text } from '../../shell/search.ts';

/** What of the page is in its address. */
export interface View {
  /** Only those of this mount, and of this role. */
  readonly mount?: string;
  readonly role?: string;
  /** The one that is open, by its id. */
  readonly identity?: string;
  /** From 1 on. */
  readonly page?: string;
  /** What is asked for: a test, or a new one. */
  readonly do?: 'test' | 'add';
}

export function readView(search: Record<string, unknown>): View {
  return {
    ...text(search, 'mount'),
    ...text(search, 'role'),
    ...text(search, 'identity'),
    ...(/^[1-9]\d{0,5}$/.test(String(search.page)) && { page: String(search.page) }),
    ...(search.do === 'test' || search.do === 'add' ? { do: search.do } : {}),
  };
}
