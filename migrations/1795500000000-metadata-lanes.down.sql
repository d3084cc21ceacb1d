drop table metadata_vectors;
