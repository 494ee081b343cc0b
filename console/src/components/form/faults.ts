import { createContext, useContext } from 'react';

/** Server messages about fields, by attribute name. */
export const NONE: ReadonlyMap<string, string> = new Map();
export const Faults = createContext(NONE);

/** Returns the server's message about one attribute. */
export function useFault(name: string | undefined): string | undefined {
  const faults = useContext(Faults);
  return name === undefined ? undefined : faults.get(name);
}
