import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../api/error.ts';
import { CANCELLED, type Progress, type Upload, upload } from '../../api/transfer.ts';

/** State of one upload. */
export interface Uploading {
  /** Progress of the upload. Undefined if none is running. */
  readonly progress: (Progress & { readonly began: number }) | undefined;
  /**
   * @returns false if the user has cancelled the upload
   * @throws ApiError
   */
  readonly send: (address: string, file: Blob) => Promise<boolean>;
  readonly cancel: () => void;
}

/** Uploads files with progress, and cancels the upload when the page is left. */
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
