export declare const holdEngineCode: () => void;
