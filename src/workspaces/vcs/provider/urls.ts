/** Returns a URL without the user name that some providers put into their URLs for Git. */
export function withoutUser(url: string | null | undefined): string | null {
  return url?.replace(/^(https?:\/\/)[^/@]*@/, '$1') ?? null;
}

/** Decodes a part of a path; one that is not encoded stays as it is. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
