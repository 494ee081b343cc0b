import { createContext, useContext } from 'react';

/** What the server said of the fields of a form, by the names of their attributes. */
export const NONE: ReadonlyMap<string, string> = new Map();
export const Faults = createContext(NONE);

/** What the server said of one of them. */
export function useFault(name: string | undefined): string | undefined {
  const faults = useContext(Faults);
  return name === undefined ? undefined : faults.get(name);
}
