const REGION = 'announced';

/** Announces a text to screen readers through a live region. */
export function announce(text: string): void {
  const region = document.getElementById(REGION);
  if (!region) return;
  region.textContent = '';
  requestAnimationFrame(() => {
    region.textContent = text;
  });
}

export const ANNOUNCED_ID = REGION;
