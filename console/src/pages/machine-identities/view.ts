import { text } from '../../shell/search.ts';

/** Search parameters of the page. */
export interface View {
  /** Filter by mount and role. */
  readonly mount?: string;
  readonly role?: string;
  /** Id of the expanded identity. */
  readonly identity?: string;
  /** Page number, from 1. */
  readonly page?: string;
  /** Open dialog: a test, or a new identity. */
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
