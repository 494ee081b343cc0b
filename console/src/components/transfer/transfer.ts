import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../api/error.ts';
import { CANCELLED, type Progress, type Upload, upload } from '../../api/transfer.ts';

/** Of one upload at a time. */
export interface Uploading {
  /** Undefined while nothing is on its way. */
  readonly progress: (Progress & { readonly began: number }) | undefined;
  /** @returns false where somebody has cancelled it. @throws ApiError */
  readonly send: (address: string, file: Blob) => Promise<boolean>;
  readonly cancel: () => void;
}

/** Sends files, says how far they are, and ends them with the page. */
export function useUpload(): Uploading {
  const [progress, setProgress] = useState<Uploading['progress']>();
  const current = useRef<Upload | undefined>(undefined);
  useEffect(() => () => current.current?.cancel(), []);
  return {
    progress,
    async send(address, file) {
      const began = performance.now();
      setProgress({ done: 0, total: file.size, began });
      current.current = upload(address, file, (at) => setProgress({ ...at, began }));
      try {
        await current.current.finished;
        return true;
      } catch (error) {
        if (error instanceof ApiError && error.message === CANCELLED) return false;
        throw error;
      } finally {
        current.current = undefined;
        setProgress(undefined);
      }
    },
    cancel: () => current.current?.cancel(),
  };
}
