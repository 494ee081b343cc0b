import { useEffect, useRef, useState } from 'react';

/** Scales of the buttons. */
const STEPS = [0.25, 0.35, 0.5, 0.7, 1, 1.4, 2] as const;
/** Width of the borders of the frame, pixels. */
const BORDERS = 2;

/**
 * Scale of a drawing in a frame that scrolls. It starts as wide as the frame, and follows its width until a user zooms.
 * @param width natural width of the drawing, pixels
 */
export function useZoom(width: number) {
  const frame = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState(0);
  const [chosen, setChosen] = useState<number | undefined>();
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setRoom(element.offsetWidth - BORDERS));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const fitting = room === 0 ? 1 : Math.min(1, Math.max(STEPS[0], room / width));
  const scale = chosen ?? fitting;
  const step = (next: number | undefined) => (next === undefined ? undefined : () => setChosen(next));
  return {
    frame,
    scale,
    isFit: chosen === undefined,
    fit: () => setChosen(undefined),
    less: step(STEPS.findLast((one) => one < scale)),
    more: step(STEPS.find((one) => one > scale)),
  };
}
