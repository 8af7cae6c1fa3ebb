"""Series for experiment trackers: TensorBoard, MLflow."""
