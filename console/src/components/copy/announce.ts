const REGION = 'announced';

/** Says to whom the screen is read what others see where they look. */
export function announce(text: string): void {
  const region = document.getElementById(REGION);
  if (!region) return;
  region.textContent = '';
  requestAnimationFrame(() => {
    region.textContent = text;
  });
}

export const ANNOUNCED_ID = REGION;
