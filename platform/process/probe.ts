/**
 * Called between two steps that a crash may separate, with the name of the point. The service passes none; tests pass
 * one that kills the process there.
 */
export type Probe = (point: string) => void;
