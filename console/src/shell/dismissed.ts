/** Key in local storage for a notice that the user has dismissed in this browser. */
const key = (what: string) => `dismissed ${what}`;

export function isDismissed(what: string): boolean {
  try {
    return localStorage.getItem(key(what)) !== null;
  } catch {
    return false;
  }
}

export function dismiss(what: string, isSo: boolean): void {
  try {
    if (isSo) localStorage.setItem(key(what), 'yes');
    else localStorage.removeItem(key(what));
  } catch {
    // Without storage the notice appears again.
  }
}
