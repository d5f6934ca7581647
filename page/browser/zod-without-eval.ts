import { z } from 'zod';

/**
 * The page's policy forbids `eval`, which zod would use to compile its schemas; imported before any schema is created.
 */
z.config({ jitless: true });
